/**
 * Writes src/api/schema.ts from the API's OpenAPI description, or checks that it is up to date.
 *
 *   node scripts/types.mjs [--check] [openapi.json | -]
 *
 * Without a file it asks `python -m api.openapi` of this repository; `-` reads standard input.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const root = fileURLToPath(new URL("../../", import.meta.url));
const target = fileURLToPath(new URL("../src/api/schema.ts", import.meta.url));

function python() {
  const own = `${root}.venv/bin/python`;
  return process.env.PYTHON ?? (existsSync(own) ? own : "python3");
}

function description(source) {
  if (source === "-") return readFileSync(0, "utf8");
  if (source) return readFileSync(source, "utf8");
  return execFileSync(python(), ["-m", "api.openapi"], { cwd: root, encoding: "utf8" });
}

const words = process.argv.slice(2);
const check = words.includes("--check");
const source = words.find((word) => word !== "--check");
const tree = await openapiTS(description(source), { alphabetize: true });
const text = `// Written by \`npm run types\` from the API's OpenAPI description; do not edit.\n\n${astToString(tree)}`;

if (!check) {
  writeFileSync(target, text);
} else if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  console.error("src/api/schema.ts differs from the API's description: run `npm run types`");
  process.exit(1);
}
