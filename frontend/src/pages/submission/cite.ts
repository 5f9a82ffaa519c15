/** How an entry is cited, and how its score is computed again at home. */
import { submissionAddress } from "../../address";
import { segment } from "../../api/client";
import type { Side, Submission } from "../../api/types";
import { SUFFIXES, quoted } from "../submit/commands";

const SPECIAL = /[\\{}%&#_$~^]/g;

const ESCAPES: Record<string, string> = {
  "\\": String.raw`\textbackslash{}`,
  "~": String.raw`\textasciitilde{}`,
  "^": String.raw`\textasciicircum{}`,
};

function tex(text: string): string {
  return text.replaceAll(SPECIAL, (found) => ESCAPES[found] ?? `\\${found}`);
}

/** The authors as BibTeX has them, where commas or semicolons stand between them. */
function authors(names: string): string {
  const between = names.includes(";") ? /\s*;\s*/ : /\s*,\s*(?:and\s+)?|\s+and\s+/;
  return names
    .split(between)
    .filter((name) => name !== "")
    .map(tex)
    .join(" and ");
}

type Cited = Pick<
  Submission,
  "id" | "name" | "authors" | "side" | "board" | "received_at" | "sha256" | "paper_url"
>;

/** A BibTeX record of an entry; its paper, where it has one, is to be cited beside it. */
export function bibtex(entry: Cited, server: string): string {
  const lines = [
    ["title", `{${tex(entry.name)}}, ${entry.side} on ${tex(entry.board)}`],
    ["author", authors(entry.authors)],
    ["year", entry.received_at.slice(0, 4)],
    ["howpublished", String.raw`\url{${server}/submissions/${entry.id}}`],
    [
      "note",
      `Graph Robustness Leaderboard${entry.sha256 === null ? "" : `, SHA-256 ${entry.sha256}`}`,
    ],
  ];
  const body = lines.map(([name = "", value = ""]) => `  ${name} = {${value}}`).join(",\n");
  return `@misc{grb-${entry.id.toLowerCase()},\n${body}\n}`;
}

/** Shell lines that measure an entry against these counterparts again. */
export function reproduction(
  entry: Pick<Submission, "id" | "side" | "board" | "artefact_url">,
  counterparts: readonly string[],
  server: string,
): string {
  const other: Side = entry.side === "attack" ? "defense" : "attack";
  const own = `${entry.side}${SUFFIXES[entry.side]}`;
  const files = counterparts.map((id) => `${id}${SUFFIXES[other]}`);
  return [
    `curl -fo ${own} ${server}${entry.artefact_url}`,
    ...counterparts.map(
      (id, at) => `curl -fo ${files[at] ?? id} ${server}/api/v1/submissions/${id}/artefact`,
    ),
    [
      `grb evaluate ${quoted(entry.board)} --${entry.side} ${own}`,
      ...files.map((file) => `--${other} ${file}`),
    ].join(" \\\n  "),
  ].join("\n");
}

/** The address of an entry's badge. */
export function badgeAddress(id: string): string {
  return `/api/v1/submissions/${segment(id)}/badge.svg`;
}

/** A line of Markdown that shows where an entry stands, and leads to its page. */
export function badgeMarkdown({ id, name, board }: Pick<Submission, "id" | "name" | "board">, server: string): string {
  const words = `${name} on ${board}`.replaceAll(/[[\]\\`*_<>]/g, String.raw`\$&`);
  return `[![${words}](${server}${badgeAddress(id)})](${server}${submissionAddress(id)})`;
}
