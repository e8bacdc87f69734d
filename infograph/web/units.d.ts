/** What is read together, as ordered slices of one document. */

import type { DocumentUnit, Item } from "./infograph.js";

/**
 * The units of a document: the document, its sections of two chunks or more, larger ones first where they begin with the
 * same chunk, and its keys of two chunks or more.
 * @param document its path, or whatever else tells it from others
 * @param items all of its chunks, in order: the `items` of a document of a topic
 */
export function unitsOf(document: string, items: readonly Item[]): Promise<DocumentUnit[]>;

/** The smallest section, or the document, around a chunk, of the units of its document. */
export function parentOf(units: readonly DocumentUnit[], index: number): DocumentUnit | undefined;
