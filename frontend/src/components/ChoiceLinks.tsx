import { Link } from "react-router";

interface ChoiceLinksProps<T extends string> {
  label: string;
  names: Record<T, string>;
  options: readonly T[];
  /** None where nothing of it is chosen. */
  chosen: T | null;
  address: (option: T) => string;
}

/** A choice among a few, each a link: it is in the address, and opens in a new tab. */
export function ChoiceLinks<T extends string>(props: ChoiceLinksProps<T>) {
  const { label, names, options, chosen, address } = props;
  return (
    <nav className="choice" aria-label={label}>
      <span className="choice-label" aria-hidden="true">
        {label}
      </span>
      <ul>
        {options.map((option) => (
          <li key={option}>
            <Link to={address(option)} aria-current={option === chosen ? "true" : undefined}>
              {names[option]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
