import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { referenceQuery } from "../../api/texts";
import { Html } from "../../components/Html";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";

/** The reference of the API. */
export function ReferencePage() {
  const reference = useQuery(referenceQuery);
  const title = reference.data?.title ?? "API";
  return (
    <Page title={title} heading={title} above={<Link to="/guide">Guide</Link>}>
      <Loaded query={reference} what="the reference of the API">
        {({ html }) => <Html className="written text reference" html={html} />}
      </Loaded>
    </Page>
  );
}
