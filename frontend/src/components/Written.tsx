/**
 * What somebody wrote of an entry.  The service makes this HTML from Markdown and lets through
 * no script, no picture and no address but of the web (api/markdown.py).
 */
export function Written({ html }: { html: string }) {
  if (html === "") return null;
  return (
    <section aria-labelledby="description">
      <h2 id="description">Description</h2>
      <div className="written" dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}
