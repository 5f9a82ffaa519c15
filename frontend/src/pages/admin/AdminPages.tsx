import { AuditPage } from "./AuditPage";
import { EntriesPage } from "./EntriesPage";
import { JobPage } from "./JobPage";
import { JobsPage } from "./JobsPage";
import { NewJobPage } from "./NewJobPage";
import { OverviewPage } from "./OverviewPage";
import { SeasonsPage } from "./SeasonsPage";
import { UploadsPage } from "./UploadsPage";
import { UsersPage } from "./UsersPage";
import { VersionsPage } from "./VersionsPage";

const PAGES = {
  now: OverviewPage,
  users: UsersPage,
  entries: EntriesPage,
  uploads: UploadsPage,
  reevaluations: JobsPage,
  "new-reevaluation": NewJobPage,
  reevaluation: JobPage,
  boards: VersionsPage,
  seasons: SeasonsPage,
  audit: AuditPage,
} as const;

/** The admins' part, read when it is first opened. */
export default function AdminPages({ section }: { section: keyof typeof PAGES }) {
  const Section = PAGES[section];
  return <Section />;
}
