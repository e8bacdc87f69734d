/** What of a document is read together, as `infograph.client.units` of the client in Python. */

import type { DocumentUnit, Item, UnitGroup } from "./infograph.js";

/**
 * The units of a document: the document, its sections and keys of two chunks or more, its propositions, and those that an
 * index lists. Rejects with a RangeError where one of these does not lie in the document.
 * @param document its path, or whatever else tells it from others
 * @param items all of its chunks, in order
 * @param groups the `units` of the document, as a topic has them
 */
export function unitsOf(document: string, items: readonly Item[], groups?: readonly UnitGroup[]): Promise<DocumentUnit[]>;

/** The smallest document, section or parent around a chunk, of the units of its document. */
export function parentOf(units: readonly DocumentUnit[], index: number): DocumentUnit | undefined;

/**
 * The text of a unit, with `…` for what is left out between its slices, but for rows of one key.
 * @param texts of its chunks, in the order of `hrefs`: their `readable`
 */
export function textOf(unit: DocumentUnit, texts: readonly string[]): string;
