/** Lines and columns are counted from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const space = /[ \t\n\r]*/y;
const string = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/y;

type Expected = "value" | "name" | "colon" | "comma" | "end";

/**
 * Returns where `text` stops being valid JSON (RFC 8259), because the errors of `JSON.parse` often lack a
 * position.
 */
export function jsonErrorAt(text: string): Place {
  const open: string[] = [];
  let at = 0;
  let expected: Expected = "value";
  /**
   * Whether `}` or `]` may follow although a name or value is expected: the object or array is still empty.
   */
  let may_close = false;
  const take = (shape: RegExp): boolean => {
    shape.lastIndex = at;
    const isThere = shape.test(text);
    if (isThere) at = shape.lastIndex;
    return isThere;
  };
  for (;;) {
    take(space);
    const mark = text[at];
    const isClosing: boolean =
      mark !== undefined && mark === open.at(-1) && (expected === "comma" || may_close);
    const after: Expected = open.length - (isClosing ? 1 : 0) > 0 ? "comma" : "end";
    if (isClosing) {
      open.pop();
      at += 1;
      expected = after;
      may_close = false;
    } else if (expected === "value" && (mark === "{" || mark === "[")) {
      open.push(mark === "{" ? "}" : "]");
      at += 1;
      expected = mark === "{" ? "name" : "value";
      may_close = true;
    } else if (expected === "value" && (take(string) || take(scalar))) {
      expected = after;
      may_close = false;
    } else if (expected === "name" && take(string)) {
      expected = "colon";
      may_close = false;
    } else if ((expected === "colon" && mark === ":") || (expected === "comma" && mark === ",")) {
      at += 1;
      expected = expected === "colon" || open.at(-1) === "]" ? "value" : "name";
    } else {
      const before = text.slice(0, at);
      return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
    }
  }
}
