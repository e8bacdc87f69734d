// Goes down a published tree with ketting by `followAll("topics")` alone, as HAL clients do that take what is embedded for
// the resource, and prints the addresses of each level.
// usage: node ketting_topics.mjs ROOT_INDEX_URL
import { Ketting } from "ketting";

const levels = [[new Ketting(process.argv[2]).go()]];
while (levels.at(-1).length > 0) {
  const below = await Promise.all(levels.at(-1).map((resource) => resource.followAll("topics")));
  levels.push(below.flat());
}
console.log(JSON.stringify(levels.slice(0, -1).map((level) => level.map((resource) => resource.uri).sort())));
