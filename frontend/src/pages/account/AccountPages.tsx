import { AccountPage } from "./AccountPage";
import { ResetPage } from "./ResetPage";
import { SignInPage } from "./SignInPage";
import { SignUpPage } from "./SignUpPage";

const PAGES = {
  account: AccountPage,
  "sign-in": SignInPage,
  "sign-up": SignUpPage,
  reset: ResetPage,
} as const;

/** Signing in, and what is one's own, read when it is first opened. */
export default function AccountPages({ section }: { section: keyof typeof PAGES }) {
  const Section = PAGES[section];
  return <Section />;
}
