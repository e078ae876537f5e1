/**
 * Words that servers with OpenAI's API take as a key where they check none, from the examples in the documentation of Ollama, LM Studio,
 * vLLM, SGLang, llama.cpp, llamafile, LocalAI and clients of theirs. Lower case. Only whole keys count: `ollama-2` is a secret.
 */
const placeholderKeys: ReadonlySet<string> = new Set([
  "ollama",
  "lm-studio",
  "lmstudio",
  "empty",
  "none",
  "test",
  "dummy",
  "unused",
  "anything",
  "no-key",
  "not-needed",
  "not-required",
  "no-key-required",
  "sk-no-key-required",
]);

/**
 * Whether a key of a credential is no secret: only of `openai-compatible`, whose servers often want some word and check none.
 * Such a word is not searched for in what leaves the functions, since answers hold it by chance; all other keys are.
 */
export function isPlaceholderKey(credentialType: string, key: unknown): boolean {
  return (
    credentialType === "openai-compatible" && typeof key === "string" && placeholderKeys.has(key.trim().toLowerCase())
  );
}
