type Sentence = string | ((params: never) => string);

/** The sentence of a code with its parameters. */
export function filled(sentence: Sentence, params: object): string {
  // A code and its parameters belong together by the type of the message.
  return typeof sentence === "string" ? sentence : sentence(params as never);
}
