import { RulesPage } from "../rules/RulesPage";
import { GuidePage } from "./GuidePage";
import { ReferencePage } from "./ReferencePage";
import { AboutPage, TextPage } from "./TextPage";

const PAGES = {
  guide: GuidePage,
  text: TextPage,
  about: AboutPage,
  rules: RulesPage,
  reference: ReferencePage,
} as const;

/** The documents, the rules of boards and the reference of the API, read when they are first opened. */
export default function DocsPages({ section }: { section: keyof typeof PAGES }) {
  const Section = PAGES[section];
  return <Section />;
}
