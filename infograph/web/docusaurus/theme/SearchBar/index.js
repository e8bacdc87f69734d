/** What the theme of Docusaurus shows in the place of its SearchBar. */

import { usePluginData } from "@docusaurus/useGlobalData";
import { createElement } from "react";

export default function SearchBar() {
  return createElement("infograph-search", usePluginData("infograph-docusaurus").attributes);
}
