/**
 * What somebody wrote of an entry.  The service makes this HTML from Markdown and lets through
 * no script, no picture and no address but of the web (api/markdown.py).
 */
export function Written({ html }: { html: string }) {
  if (html === "") return null;
  return <div className="written" dangerouslySetInnerHTML={{ __html: html }} />;
}
