import { CopyButton } from "../../../ui/buttons/copy-button.tsx";

/** What a website takes in to show the chat in its corner. */
export function ChatSnippet({ slug }: { slug: string }) {
  const code = [
    `<script src="${location.origin}/widget.js" defer></script>`,
    `<switchyard-chat slug="${slug}"></switchyard-chat>`,
  ].join("\n");
  return (
    <section aria-label="On your website" className="flex flex-col gap-1.5">
      <h3 className="flex items-center gap-2 font-medium">
        On your website
        <CopyButton text={() => code} label="Copy the code" />
      </h3>
      <pre className="overflow-x-auto rounded-md border bg-canvas p-3 font-mono text-xs">{code}</pre>
      <p className="text-xs text-muted">Add the website under “Sites that may frame it” first.</p>
    </section>
  );
}
