import type { settings } from "../config/settings.ts";

type AllSettings = (typeof settings)[keyof typeof settings];

type NameOf<Variable extends string> = Variable extends `POSTERN_${infer Rest}` ? Lowercase<Rest> : never;

type Given<Value> = [Value] extends ["on" | "off"]
  ? Value | boolean
  : Value extends readonly (infer Member)[]
    ? string | readonly (Member extends string ? Member : string)[]
    : Value extends number
      ? number | `${number}`
      : Value extends string
        ? Value
        : string;

/** The name of a setting's environment variable in lower case, without `POSTERN_`, such as `base_url`. */
export type PosternSetting = NameOf<AllSettings["name"]>;

/**
 * The settings of docs/operations/settings.md. A name with `_file` takes the path of a file that contains the
 * secret.
 */
export type PosternSettings = {
  readonly [Each in AllSettings as NameOf<Each["name"]>]?: Given<ReturnType<Each["parse"]>> | undefined;
} & {
  readonly [Each in AllSettings as Each extends { readonly secret: true }
    ? `${NameOf<Each["name"]>}_file`
    : never]?: string | undefined;
};

function textOf(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "object" ? value.join(",") : String(value);
}

/**
 * Returns the settings as environment variables. Unknown names are included, so that reading the variables
 * reports them.
 */
export function variablesOf(input: PosternSettings): Record<string, string> {
  const said = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    said.map(([name, value]) => [`POSTERN_${name.toUpperCase()}`, textOf(value as string | number)]),
  );
}
