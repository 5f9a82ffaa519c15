/**
 * Uploads a file in parts with tus-js-client, as a browser would, and prints the submission's id.
 *
 *   node scripts/upload.mjs SERVER FILE 'name=My GCN' board=… side=…
 *
 * GRB_TOKEN holds the token; PART the bytes of a request.
 */
import { createReadStream, statSync } from "node:fs";
import * as tus from "tus-js-client";

const [server, file, ...words] = process.argv.slice(2);
const metadata = Object.fromEntries(
  words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
);
const upload = new tus.Upload(createReadStream(file), {
  endpoint: `${server}/api/v1/uploads`,
  headers: { Authorization: `Bearer ${process.env.GRB_TOKEN}` },
  chunkSize: Number(process.env.PART ?? 8 * 1024 * 1024),
  uploadSize: statSync(file).size,
  retryDelays: Array(60).fill(50),
  metadata,
  onError(error) {
    const answer = error.originalResponse;
    console.error(answer ? `${answer.getStatus()} ${answer.getBody()}` : String(error));
    process.exit(1);
  },
  onSuccess({ lastResponse }) {
    console.log(lastResponse.getHeader("Submission"));
  },
});
upload.start();
