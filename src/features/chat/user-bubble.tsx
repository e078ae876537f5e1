/** What the person said. */
export function UserBubble({ text }: { text: string }) {
  return (
    <div className="max-w-[85%] self-end rounded-lg bg-accent-soft px-3 py-2 text-base whitespace-pre-wrap wrap-anywhere">
      <span className="sr-only">You: </span>
      {text}
    </div>
  );
}
