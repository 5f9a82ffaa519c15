import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { textQuery } from "../../api/texts";
import { Html } from "../../components/Html";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";

/** One document of the guide. */
export function TextPage() {
  const { name = "" } = useParams();
  return <TextOf name={name} key={name} above={<Link to="/guide">Guide</Link>} />;
}

/** Limits, possible misuse, how to propose something, how to cite. */
export function AboutPage() {
  return <TextOf name="about" />;
}

function TextOf({ name, above }: { name: string; above?: React.ReactNode }) {
  const text = useQuery(textQuery(name));
  const title = text.data?.title ?? (name === "about" ? "About" : "Guide");
  return (
    <Page title={title} heading={title} above={above}>
      <Loaded
        query={text}
        what="the document"
        missing={
          <Notice kind="error">
            <p>
              This service has no document <code>{name}</code>. See{" "}
              <Link to="/guide">those that it has</Link>.
            </p>
          </Notice>
        }
      >
        {({ html }) => <Html className="written text" html={html} />}
      </Loaded>
    </Page>
  );
}
