import type { ChatPageInfo } from "../doors/chat-api.ts";
import { classNames } from "../ui/theme/class-names.ts";

const sizes = { md: "size-8 rounded-md text-base", lg: "size-14 rounded-lg text-2xl" };

/** The owner's picture, or the title's first letter. */
export function PageMark({ info, size = "md" }: { info: ChatPageInfo; size?: keyof typeof sizes }) {
  if (info.picture !== "") {
    return <img src={info.picture} alt="" className={classNames("shrink-0 object-cover", sizes[size])} />;
  }
  return (
    <span
      aria-hidden
      className={classNames(
        "inline-flex shrink-0 items-center justify-center bg-accent font-semibold text-on-accent",
        sizes[size],
      )}
    >
      {[...info.title.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  );
}
