import { useAdminChange, type AdminUser } from "../../api/admin";
import { Field } from "../../components/Field";
import { text } from "../../components/Form";
import { ReasonDialog } from "../../components/ReasonDialog";

const MIB = 1024 * 1024;

/** The number of a field in this unit; null where it is empty. */
function amount(values: FormData, name: string, unit: number): number | null {
  const value = text(values, name).trim();
  return value === "" ? null : Math.round(Number(value) * unit);
}

/** What one user is allowed in place of the service's quotas. */
export function QuotaDialog({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const change = useAdminChange(onClose);
  const stored = user.quota_bytes === null ? "" : user.quota_bytes / MIB;
  return (
    <ReasonDialog
      title={`Quota of ${user.name}`}
      action="Set the quota"
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason, values) => {
        const body = {
          quota_per_day: amount(values, "quota_per_day", 1),
          quota_bytes: amount(values, "quota_bytes", MIB),
          reset: values.has("reset"),
          reason,
        };
        change.mutate({ method: "PATCH", path: `/admin/users/${user.id}`, body });
      }}
      fields={(fault) => (
        <>
          <Field
            label="Uploads a day, on each board"
            name="quota_per_day"
            type="number"
            min={0}
            defaultValue={user.quota_per_day ?? ""}
            fault={fault("quota_per_day")}
          />
          <Field
            label="Stored files, in MiB"
            name="quota_bytes"
            type="number"
            min={0}
            step="any"
            defaultValue={stored}
            fault={fault("quota_bytes")}
          />
          <label className="check">
            <input type="checkbox" name="reset" />
            Begin their day anew: today’s uploads no longer count
          </label>
        </>
      )}
    >
      An empty field is what the service allows everybody, and 0 is as much as they like.
    </ReasonDialog>
  );
}
