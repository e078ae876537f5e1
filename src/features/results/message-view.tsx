import type { ReactNode } from "react";
import type { FileValue } from "../../engine/file/file.ts";
import { type AssistantMessage, generatedFiles, type Message, type UserMessage } from "../../engine/model/message.ts";
import { useFiles } from "../../state/file/use-files.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { FileList } from "../../ui/files/file-list.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { Picture } from "../../ui/graph/picture.tsx";
import { jsonOrText } from "../../engine/json.ts";

const tones: Record<Message["role"], BadgeTone> = {
  system: "neutral",
  user: "accent",
  assistant: "model",
  tool: "tool",
};

/** One message as the model read or wrote it: exact text, or `rendered` as markdown where it is an answer. */
export function MessageView(props: {
  message: Message;
  labelled?: boolean;
  /** Stands beside the label. */
  aside?: ReactNode;
  rendered?: boolean;
}) {
  const { message, labelled = false, aside, rendered = false } = props;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {labelled && (
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[message.role]}>
            {message.role === "tool"
              ? `tool · ${message.toolName}${message.ok ? "" : message.rejected ? " · rejected" : " · failed"}`
              : message.role}
          </Badge>
          {aside}
        </span>
      )}
      <MessageBody message={message} rendered={rendered} />
    </div>
  );
}

function MessageBody({ message, rendered }: { message: Message; rendered: boolean }) {
  if (message.role === "system") return <LongText text={message.text} />;
  if (message.role === "tool") {
    const pictures = message.images ?? [];
    return (
      <>
        <LongText text={message.text} />
        {pictures.map((url, index) => (
          <Picture key={index} url={url} alt="Sent to the model" />
        ))}
        <GivenFiles files={message.files} />
      </>
    );
  }
  return (
    <>
      <MessageParts message={message} rendered={rendered} />
      <MessageFiles message={message} />
    </>
  );
}

/** Those that a model was given are named, those that it made are shown. */
function MessageFiles({ message }: { message: UserMessage | AssistantMessage }) {
  if (message.role === "user") return <GivenFiles files={message.files} />;
  const files = generatedFiles(message);
  return files.length > 0 && <MadeFiles files={files} />;
}

function MadeFiles({ files }: { files: readonly FileValue[] }) {
  return <FileList label="Made by the model" {...useFiles(files)} />;
}

/** Files of the run that go with a message, by name. */
function GivenFiles({ files = [] }: { files?: readonly FileValue[] | undefined }) {
  return files.map(({ $file, name, mediaType }) => (
    <p key={$file} className="text-xs text-muted wrap-anywhere">
      File for the model: <bdi>{name}</bdi> ({mediaType})
    </p>
  ));
}

function MessageParts({ message, rendered }: { message: UserMessage | AssistantMessage; rendered: boolean }) {
  return message.parts.map((part, index) => {
    switch (part.type) {
      case "text":
        return rendered ? <Markdown key={index} text={part.text} /> : <LongText key={index} text={part.text} />;
      case "reasoning":
        return rendered ? null : (
          <div key={index} className="text-muted italic">
            <LongText text={part.text} />
          </div>
        );
      case "image":
        return (
          <Picture
            key={index}
            url={part.url}
            alt={message.role === "user" ? "Sent to the model" : "Made by the model"}
          />
        );
      case "made-file":
        return null;
      case "file":
        return (
          <p key={index} className="text-xs text-muted wrap-anywhere">
            Attached file: {part.name ?? "unnamed"}
          </p>
        );
      case "tool-call":
        return (
          <div key={index} className="rounded-md border bg-canvas px-2 py-1">
            <p className="text-xs text-role-tool">
              calls <bdi>{part.toolName}</bdi>
            </p>
            <JsonTree label={`Arguments for ${part.toolName}`} value={jsonOrText(part.arguments)} />
          </div>
        );
      default:
        return part satisfies never;
    }
  });
}
