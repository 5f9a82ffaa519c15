import { Link } from "react-router";

import { uploadsQuery, useAdminQuery } from "../../api/admin";
import { DataTable } from "../../components/DataTable";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { DASH, bytes } from "../../format";
import { SIDE_NAMES } from "../../words";
import { AdminFrame } from "./AdminFrame";
import { BoardChoice } from "./BoardChoice";
import { CursorLinks, FilterForm, useFilters } from "./FilterForm";

/** Files that were refused at once, or rejected by the check of their content. */
export function UploadsPage() {
  const filters = useFilters(["user", "board"]);
  const uploads = useAdminQuery(uploadsQuery(filters));
  return (
    <AdminFrame heading="Refused files">
      <FilterForm what="refused files">
        <BoardChoice chosen={filters.board} />
        <Field
          label="Identifier of a user"
          name="user"
          defaultValue={filters.user}
          autoComplete="off"
        />
      </FilterForm>
      <Loaded query={uploads} what="the refused files">
        {(found) =>
          found.uploads.length === 0 ? (
            <Notice kind="note">No such file was refused or rejected.</Notice>
          ) : (
            <>
              <DataTable
                name="uploads"
                caption="Newest first. A header is refused at once and leaves no entry; content is rejected by a worker."
              >
                <thead>
                  <tr>
                    <th scope="col">When</th>
                    <th scope="col">Found in</th>
                    <th scope="col">User</th>
                    <th scope="col">Board</th>
                    <th scope="col">Side</th>
                    <th scope="col">Codes</th>
                    <th scope="col" className="number">
                      Size
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {found.uploads.map((upload) => (
                    <tr key={upload.id}>
                      <th scope="row">
                        {upload.url === null ? (
                          <Time at={upload.at} />
                        ) : (
                          <Link to={upload.url}>
                            <Time at={upload.at} />
                          </Link>
                        )}
                      </th>
                      <td>{upload.stage}</td>
                      <td>
                        <Link to={`/admin/entries?user=${upload.user_id}`}>{upload.user}</Link>
                      </td>
                      <td>{upload.board ?? DASH}</td>
                      <td>{upload.side === null ? DASH : SIDE_NAMES[upload.side]}</td>
                      <td>
                        <code>{upload.codes.join(", ")}</code>
                      </td>
                      <td className="number">{bytes(upload.bytes)}</td>
                    </tr>
                  ))}
                </tbody>
              </DataTable>
              <CursorLinks what="refused files" next={found.next} />
            </>
          )
        }
      </Loaded>
    </AdminFrame>
  );
}
