import { Icon } from "../icons/icon.tsx";

/** Says that something is under way; stays invisible for the first 300 ms unless `now`. */
export function Spinner({
  size = 16,
  label = "Loading",
  now = false,
}: {
  size?: number;
  label?: string;
  now?: boolean;
}) {
  return (
    <span role="status" aria-label={label} className={now ? "spinner-now inline-flex" : "spinner inline-flex"}>
      <Icon name="loader-circle" size={size} />
    </span>
  );
}
