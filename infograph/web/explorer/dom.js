/** Elements made by code. Text is only ever set as text: nothing here, and nothing that uses it, takes markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Attributes that are null, undefined or false are left out, functions are listeners (`onclick`).
 * An address that is not of the web (`javascript:`, `data:`) is left out too, whoever gave it.
 */
export function h(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name !== "href" || isOfTheWeb(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function isOfTheWeb(href) {
  try {
    return href !== "" && /^https?:$/.test(new URL(href, document.baseURI).protocol);
  } catch {
    return false;
  }
}

/** "1 chunk", "2,310 chunks". */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A call put off until there was none for some milliseconds; `cancel` forgets it. */
export function later(milliseconds, call) {
  let timer;
  const cancel = () => clearTimeout(timer);
  const put = (...values) => {
    cancel();
    timer = setTimeout(() => call(...values), milliseconds);
  };
  return Object.assign(put, { cancel });
}
