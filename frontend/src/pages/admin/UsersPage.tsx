import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { authQuery } from "../../api/account";
import { useAdminChange, usersQuery, useAdminQuery, type AdminUser } from "../../api/admin";
import { DataTable } from "../../components/DataTable";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { ReasonDialog } from "../../components/ReasonDialog";
import { Time } from "../../components/Time";
import { bytes, count } from "../../format";
import { AdminFrame } from "./AdminFrame";
import { CursorLinks, FilterForm, useFilters } from "./FilterForm";
import { QuotaDialog } from "./QuotaDialog";
import { RoleDialog } from "./RoleDialog";

type Asked = { user: AdminUser; about: "suspend" | "unsuspend" | "quota" | "role" } | null;

/** Users with what they have uploaded; stopped, let go on, and allowed more or less. */
export function UsersPage() {
  const filters = useFilters(["name"]);
  const users = useAdminQuery(usersQuery(filters));
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => {
    setAsked(null);
  };
  return (
    <AdminFrame heading="Users">
      <FilterForm what="users">
        <Field label="Part of the name" name="name" defaultValue={filters.name} autoComplete="off" />
      </FilterForm>
      <Loaded query={users} what="the users">
        {(found) =>
          found.users.length === 0 ? (
            <Notice kind="note">No user has such a name.</Notice>
          ) : (
            <>
              <UserTable users={found.users} onAsk={setAsked} />
              <CursorLinks what="users" next={found.next} />
            </>
          )
        }
      </Loaded>
      {asked?.about === "role" && <RoleDialog user={asked.user} onClose={close} />}
      {asked?.about === "quota" && <QuotaDialog user={asked.user} onClose={close} />}
      {(asked?.about === "suspend" || asked?.about === "unsuspend") && (
        <SuspendDialog user={asked.user} action={asked.about} onClose={close} />
      )}
    </AdminFrame>
  );
}

function UserTable({ users, onAsk }: { users: AdminUser[]; onAsk: (asked: Asked) => void }) {
  const me = useQuery(authQuery).data?.session?.name;
  return (
    <DataTable
      name="users"
      caption="Newest first. A quota of a user's own takes the place of the service's; stored are the files that are kept."
    >
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Signs in by</th>
          <th scope="col" className="number">
            Entries
          </th>
          <th scope="col" className="number">
            Uploads a day
          </th>
          <th scope="col" className="number">
            Stored
          </th>
          <th scope="col">Last upload</th>
          <th scope="col">Since</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <Link to={`/admin/entries?user=${user.id}`}>{user.name}</Link>{" "}
              {user.role === "admin" && <span className="tag">admin</span>}{" "}
              {user.suspended_at !== null && <span className="tag">suspended</span>}
            </th>
            <td>
              {user.has_password ? "password" : "token or provider"}
              {user.email !== null && (
                <span className="hint">
                  {user.email}
                  {user.email_confirmed ? "" : ", not confirmed"}
                </span>
              )}
            </td>
            <td className="number">{count(user.entries)}</td>
            <td className="number">{perDay(user)}</td>
            <td className="number">
              {bytes(user.quota.stored_bytes.used)}
              {user.quota.stored_bytes.limit !== null && (
                <> of {bytes(user.quota.stored_bytes.limit)}</>
              )}
            </td>
            <td>
              <Time at={user.last_upload_at} />
            </td>
            <td>
              <Time at={user.created_at} />
            </td>
            <td>
              <span className="actions">
                <Ask name={`Quota of ${user.name}`} onAsk={() => { onAsk({ user, about: "quota" }); }}>
                  Quota
                </Ask>
                {user.name !== me && (
                  <Ask name={`Role of ${user.name}`} onAsk={() => { onAsk({ user, about: "role" }); }}>
                    Role
                  </Ask>
                )}
                {user.suspended_at === null ? (
                  <Ask
                    name={`Suspend ${user.name}`}
                    onAsk={() => { onAsk({ user, about: "suspend" }); }}
                  >
                    Suspend
                  </Ask>
                ) : (
                  <Ask
                    name={`Let ${user.name} go on`}
                    onAsk={() => { onAsk({ user, about: "unsuspend" }); }}
                  >
                    Let go on
                  </Ask>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Ask({ name, onAsk, children }: { name: string; onAsk: () => void; children: string }) {
  return (
    <button type="button" aria-label={name} onClick={onAsk}>
      {children}
    </button>
  );
}

function perDay(user: AdminUser): string {
  if (user.quota.exempt) return "no limit";
  if (user.quota_per_day === null) return "as everybody";
  return user.quota_per_day === 0 ? "no limit" : count(user.quota_per_day);
}

interface SuspendDialogProps {
  user: AdminUser;
  action: "suspend" | "unsuspend";
  onClose: () => void;
}

function SuspendDialog({ user, action, onClose }: SuspendDialogProps) {
  const change = useAdminChange(onClose);
  const stops = action === "suspend";
  return (
    <ReasonDialog
      title={stops ? `Suspend ${user.name}?` : `Let ${user.name} go on?`}
      action={stops ? `Suspend ${user.name}` : `Let ${user.name} go on`}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason) => {
        const path = `/admin/users/${user.id}/${action}`;
        change.mutate({ method: "POST", path, body: { reason } });
      }}
    >
      {stops
        ? "Their sessions end and their tokens rest; their entries stay in the rankings. This can be undone."
        : "They can sign in again, and their tokens count again."}
    </ReasonDialog>
  );
}
