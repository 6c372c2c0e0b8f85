// Grades a manifest through a server, from the protos alone: node grade.mjs ADDRESS MANIFEST
//
// A line a request is printed as answers come: id, outcome, reward, reasons; or the status of one without a verdict.
// It ends with 1 where a request has no verdict. GRADER_TOKEN, where it is set, goes along with the call.

import { createReadStream, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const [address, manifest] = process.argv.slice(2);
if (!address || !manifest) {
  console.error("usage: node grade.mjs ADDRESS MANIFEST");
  process.exit(2);
}

const protos = resolve(dirname(fileURLToPath(import.meta.url)), "../../protos");
const { grader } = grpc.loadPackageDefinition(
  loadSync("grader/v1/service.proto", { includeDirs: [protos], enums: String, longs: Number, defaults: true, oneofs: true }),
);
const client = new grader.v1.GraderService(address, grpc.credentials.createInsecure(), {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
});

// A manifest names files relative to itself; a server gets their bytes.
function withBytes(value, folder) {
  if (value === null || typeof value !== "object") return value;
  if (typeof value.uri === "string") return { data: readFileSync(resolve(folder, value.uri)) };
  if (Array.isArray(value)) return value.map((one) => withBytes(one, folder));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBytes(one, folder)]));
}

async function* requests(path) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (line.trim()) yield withBytes(JSON.parse(line), dirname(path));
  }
}

const metadata = new grpc.Metadata();
if (process.env.GRADER_TOKEN) metadata.set("authorization", `Bearer ${process.env.GRADER_TOKEN}`);
const call = client.GradeBatch(metadata);
let without = 0;

call.on("data", ({ requestId, verdict, status }) => {
  if (status?.code) {
    without += 1;
    console.log(`${requestId}\t${status.reason}\t${status.message}`);
  } else {
    const reasons = verdict.reasons.map((reason) => reason.code).join(" ");
    console.log(`${requestId}\t${verdict.outcome.replace("OUTCOME_", "")}\t${verdict.reward.toFixed(3)}\t${reasons}`);
  }
});
call.on("error", (error) => {
  console.error(`the stream ended: ${error.message}`);
  process.exit(1);
});
call.on("end", () => {
  client.close();
  process.exitCode = without ? 1 : 0;
});

// A server that is busy takes no more; then this waits rather than pile requests up here.
for await (const request of requests(manifest)) {
  if (!call.write({ request })) await new Promise((go) => call.once("drain", go));
}
call.end();
