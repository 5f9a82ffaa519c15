/** The same submission without a browser: as a command, and as a request. */
import type { Side } from "../../api/types";

/** What the name of a file of each side ends in. */
export const SUFFIXES: Record<Side, string> = { attack: ".npz", defense: ".safetensors" };

export interface Said {
  board: string;
  side: Side;
  file: string;
  fields: Readonly<Record<string, string>>;
}

/** A word that a shell takes as it is. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const OPTIONS: Record<string, string> = {
  name: "--name",
  authors: "--authors",
  family: "--family",
  team: "--team",
  description: "--description",
  paper_url: "--paper-url",
  code_url: "--code-url",
  surrogate: "--surrogate",
};

/** `grb submit`, with the options that say what the form says. */
export function submitCommand({ board, side, file, fields }: Said, server: string): string {
  const given = Object.entries(OPTIONS).flatMap(([field, option]) => {
    const value = fields[field] ?? (field === "name" || field === "authors" ? "…" : "");
    return value === "" ? [] : [`${option} ${quoted(value)}`];
  });
  const words = [
    `grb submit ${quoted(file)} --board ${board}`,
    ...(side === suffixSide(file) ? [] : [`--side ${side}`]),
    ...given,
    ...(fields.adversarially_trained === "true" ? ["--adversarially-trained"] : []),
    ...visibilityOptions(fields),
  ];
  return [`export GRB_SERVER=${server} GRB_TOKEN=…`, words.join(" \\\n  ")].join("\n");
}

function visibilityOptions(fields: Said["fields"]): string[] {
  if (fields.visibility === "private") return ["--private"];
  if (fields.visibility !== "embargoed") return [];
  return [`--embargo ${(fields.public_at ?? "").slice(0, 10) || "YYYY-MM-DD"}`];
}

/** The same in one request of a form. */
export function curlCommand({ board, side, file, fields }: Said, server: string): string {
  const said = { board, side, name: "…", authors: "…", ...fields };
  const lines = Object.entries(said)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`);
  return [
    `curl -H "Authorization: Bearer $GRB_TOKEN"`,
    ...lines,
    `-F ${quoted(`file=@${file}`)}`,
    `${server}/api/v1/submissions`,
  ].join(" \\\n  ");
}

/** The side that a file's name tells; null where it tells none. */
export function suffixSide(name: string): Side | null {
  if (name.endsWith(SUFFIXES.attack)) return "attack";
  return name.endsWith(SUFFIXES.defense) ? "defense" : null;
}
