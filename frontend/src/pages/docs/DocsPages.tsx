import { RulesPage } from "../rules/RulesPage";
import { GuidePage } from "./GuidePage";
import { AboutPage, TextPage } from "./TextPage";

const PAGES = { guide: GuidePage, text: TextPage, about: AboutPage, rules: RulesPage } as const;

/** The documents and the rules of boards, read when they are first opened. */
export default function DocsPages({ section }: { section: keyof typeof PAGES }) {
  const Section = PAGES[section];
  return <Section />;
}
