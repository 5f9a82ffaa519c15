import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { textsQuery, type TextSummary } from "../../api/texts";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";

/** The documents, part by part. */
export function GuidePage() {
  const texts = useQuery(textsQuery);
  return (
    <Page title="Guide" heading="Guide">
      <Loaded query={texts} what="the list of documents">
        {(found) =>
          found.length === 0 ? (
            <Notice kind="note">This service was installed without its documents.</Notice>
          ) : (
            <div className="guide-list">
              {[...new Set(found.map(({ part }) => part))].map((part) => (
                <Part key={part} name={part} texts={found.filter((text) => text.part === part)} />
              ))}
            </div>
          )
        }
      </Loaded>
      <p>
        <a href="/studies">Studies</a> say how much of a result is the luck of one split, and how models
        of whole graphs hold when each is attacked itself. The API has <Link to="/docs">a reference</Link> of its own.{" "}
        <Link to="/about">About this service</Link>: its limits, how to propose something, how to cite
        it.
      </p>
    </Page>
  );
}

function Part({ name, texts }: { name: string; texts: TextSummary[] }) {
  const id = name.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul>
        {texts.map((text) => (
          <li key={text.name}>
            <Link to={`/guide/${text.name}`}>{text.title}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
