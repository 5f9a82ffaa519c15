/** Links to what is shown as files and from the API: they stay as they are while the choice does. */
export function Exports({ what, files }: { what: string; files: readonly (readonly [string, string])[] }) {
  return (
    <p className="small exports">
      {what} as{" "}
      {files.map(([kind, href], place) => (
        <span key={kind}>
          {place > 0 && " · "}
          <a href={href} download={kind === "JSON" ? undefined : ""} aria-label={`${what} as ${kind}`}>
            {kind}
          </a>
        </span>
      ))}
    </p>
  );
}
