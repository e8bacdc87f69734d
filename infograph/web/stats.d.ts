/** What answers cost, as `answer.stats` of the client in Python. */

import { Client, type BundleAnswer } from "./infograph.js";

export interface Stats {
  /** Requests that were made; those that the browser's own cache answers are counted. */
  requests: number;
  /** Bytes of the replies, decompressed where the server compresses. */
  bytes: number;
  /** Time by stage: `manifest`, `search`, `texts`, `indexes` for reading these, `computing` for the rest. */
  milliseconds: Record<string, number>;
}

type Measured<Call> = Call extends (...given: infer Given) => Promise<infer Found>
  ? (...given: Given) => Promise<Found extends BundleAnswer ? Found & { stats: Stats } : Found>
  : Call;

/** A client whose answers from the search bundle have `stats`. Its calls wait for each other. */
export const MeasuredClient: new (...given: ConstructorParameters<typeof Client>) => {
  [Name in keyof Client]: Measured<Client[Name]>;
};
