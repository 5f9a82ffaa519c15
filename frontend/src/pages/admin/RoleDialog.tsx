import { useAdminChange, type AdminUser } from "../../api/admin";
import { Field } from "../../components/Field";
import { text } from "../../components/Form";
import { ReasonDialog } from "../../components/ReasonDialog";

/** Makes a user an admin, or an admin a user; asks for the password of who does it. */
export function RoleDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const change = useAdminChange(onClose);
  const role = user.role === "admin" ? "user" : "admin";
  const words = role === "admin" ? `Make ${user.name} an admin` : `Make ${user.name} a user`;
  return (
    <ReasonDialog
      title={`${words}?`}
      action={words}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason, values) => {
        const password = text(values, "password");
        const body = { role, reason, password: password === "" ? null : password };
        change.mutate({ method: "POST", path: `/admin/users/${user.id}/role`, body });
      }}
      fields={(fault) => (
        <Field
          label="Your own password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="Empty if you have none and signed in a moment ago."
          fault={fault("password")}
        />
      )}
    >
      {role === "admin"
        ? "An admin may see, change, hide and delete every entry, stop users, and compute results once more."
        : "They keep their entries, and may change those only. Their tokens lose what only admins may do, for good."}{" "}
      Their sessions end: they sign in again.
    </ReasonDialog>
  );
}
