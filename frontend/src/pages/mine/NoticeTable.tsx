import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { submissionAddress } from "../../address";
import { noticesQuery } from "../../api/account";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Time } from "../../components/Time";
import { DASH } from "../../format";

/** The latest messages, and whether they arrived. */
export function NoticeTable() {
  const notices = useQuery(noticesQuery);
  return (
    <Loaded query={notices} what="your messages">
      {(found) =>
        found.notices.length === 0 ? (
          <p className="small">No message has been sent to you yet.</p>
        ) : (
          <DataTable name="notices" caption="The last messages to you, newest first.">
            <thead>
              <tr>
                <th scope="col">Sent</th>
                <th scope="col">Event</th>
                <th scope="col">By</th>
                <th scope="col">Submission</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {found.notices.map((notice) => (
                <tr key={notice.id}>
                  <th scope="row">
                    <Time at={notice.created_at} />
                  </th>
                  <td>{notice.event}</td>
                  <td>{notice.channel}</td>
                  <td>
                    {notice.submission === null ? (
                      <span className="none">{DASH}</span>
                    ) : (
                      <Link to={submissionAddress(notice.submission)}>
                        …{notice.submission.slice(-6)}
                      </Link>
                    )}
                  </td>
                  <td>
                    {notice.state}
                    {notice.problem !== null && `: ${notice.problem}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </DataTable>
        )
      }
    </Loaded>
  );
}
