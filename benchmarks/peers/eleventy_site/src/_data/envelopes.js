import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every record in its envelope, with what no record holds itself: related records, and the tags that have a list. */
export default function () {
  const shown = JSON.parse(readFileSync("shown.json", "utf8"));
  return readdirSync("records", { recursive: true })
    .filter((path) => path.endsWith(".json"))
    .sort()
    .map((path) => JSON.parse(readFileSync(join("records", path), "utf8")))
    .map((envelope) => ({ envelope, record: envelope.record, shown: shown[envelope.record.id] }));
}
