import { expect, test } from "vitest";
import { inputOf, messageOfInput } from "./chat-message.ts";

const file = {
  $file: "00000000-0000-4000-9000-000000000001",
  name: "cat.png",
  mediaType: "image/png",
  size: 5,
  sha256: "a".repeat(64),
};

test("a message with files is a run's input of references, and is read back from it", () => {
  const message = { text: "Hi", images: [], files: [file] };
  const input = inputOf(message, "s");
  expect(input).toEqual({ message: "Hi", sessionId: "s", files: [file] });
  expect(messageOfInput(input)).toEqual(message);
});

test("a message from before files were stored apart keeps its pictures and files", () => {
  const old = {
    message: "Hi",
    sessionId: "s",
    images: ["data:image/png;base64,AAAA"],
    files: [{ name: "a.pdf", url: "data:application/pdf;base64,JVBERi0=" }],
  };
  const read = messageOfInput(old);
  expect(read).toEqual({ text: "Hi", images: old.images, inline: old.files });
  expect(inputOf(read, "s")).toEqual(old);
});
