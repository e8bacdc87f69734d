/** Ends the process when one input takes too long, and writes that input to a file: a busy loop cannot do so itself. */

import { writeFileSync } from "node:fs";
import { workerData } from "node:worker_threads";

const { watched, milliseconds, file } = workerData;
const state = new Int32Array(watched, 0, 2);

for (let last = -1, since = performance.now(); ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)) {
  const now = Atomics.load(state, 0);
  if (now !== last) [last, since] = [now, performance.now()];
  else if (performance.now() - since > milliseconds) {
    writeFileSync(file, new Uint8Array(watched, 16, Atomics.load(state, 1)));
    process.kill(process.pid, "SIGKILL");
  }
}
