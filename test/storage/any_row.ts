/** Arbitrary rows of every table, derived from the definition: any value that a column may have. */
import { randomInt, randomUUID } from "node:crypto";
import fc from "fast-check";
import {
  fieldsOf,
  type NewRow,
  type OAuthApp,
  type TableName,
  tables,
} from "../../src/records/definition/definition.ts";
import type { Field } from "../../src/records/definition/field.ts";
import { beyondLimits, withinLimits } from "../../src/records/rules/open_clients.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aGroup,
  aMembership,
  anApp,
  anOrganization,
  aResource,
  aServiceAccount,
  aSession,
  aUser,
  randomSignature,
} from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";

export const tableNames = Object.keys(tables) as TableName[];

export type AnyRow = Record<string, unknown> & { readonly id: string };

/** Any text that can be stored: whole code points, no NUL. */
const anyText = fc.string({ unit: codePoint, maxLength: 60 }).map((text) => text.replaceAll("\0", ""));

/** JSON does not preserve negative zero, and has no NaN and no infinity. */
const anyNumber = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((number) => (Object.is(number, -0) ? 0 : number));

const { anyJson } = fc.letrec((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    anyNumber,
    anyText,
    fc.array(tie("anyJson"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("anyJson"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const anyTime = fc.date({
  min: new Date("0001-01-01T00:00:00.000Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});

const anyObject = fc.dictionary(anyText, anyJson, { maxKeys: 4, noNullPrototype: true });

function anyJsonOf(shape: Field["shape"]): fc.Arbitrary<unknown> {
  if (shape === "strings") return fc.array(anyText, { maxLength: 5 });
  return shape === "objects" ? fc.array(anyObject, { maxLength: 3 }) : anyObject;
}

const longText = anyText.map((text) => text.repeat(2000));

function anyValue(field: Field): fc.Arbitrary<unknown> {
  const value: Record<Field["kind"], fc.Arbitrary<unknown>> = {
    uuid: fc.uuid(),
    string: field.values === undefined ? anyText : fc.constantFrom(...field.values),
    text: fc.oneof(anyText, longText),
    int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    long: fc.integer({ min: 0, max: 2 ** 45 }),
    bool: fc.boolean(),
    time: anyTime,
    json: anyJsonOf(field.shape),
    signature: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
  };
  return field.required ? value[field.kind] : fc.oneof(fc.constant(null), value[field.kind]);
}

const referable: Readonly<Record<string, (store: Store) => Promise<{ readonly id: string }>>> = {
  users: aUser,
  organizations: anOrganization,
  oauth_apps: anApp,
  service_accounts: aServiceAccount,
  sessions: aSession,
  memberships: aMembership,
  groups: aGroup,
  resources: aResource,
};

/** Creates a record of a table to which other tables refer, and returns its id. */
export async function makeReference(store: Store, table: string): Promise<string> {
  return (await referable[table]?.(store))?.id ?? "";
}

/** Creates one record of each table to which other tables refer; returns their ids by table. */
export async function makeReferences(store: Store): Promise<Record<string, string>> {
  const references: Record<string, string> = {};
  for (const table of Object.keys(referable)) references[table] = await makeReference(store, table);
  return references;
}

/** Any row of the table, whose references point to the records in `references`. */
export function anyRow(table: TableName, references: Record<string, string>): fc.Arbitrary<AnyRow> {
  const columns = Object.entries(fieldsOf(table)).map(([name, field]) => [
    name,
    field.references === undefined
      ? anyValue(field)
      : fc.constantFrom(references[field.references.table], ...(field.required ? [] : [null])),
  ]);
  const row = fc.record(Object.fromEntries(columns), { noNullPrototype: true }) as fc.Arbitrary<AnyRow>;
  // The database refuses open clients that exceed the limits.
  return table === "oauth_apps" ? row.map((app) => withinLimits(app as never) as never) : row;
}

/** Returns values for the columns that must be unique, because short arbitrary values could collide. */
function distinctValues(table: TableName): Record<string, unknown> {
  const { unique: pairs = [] } = tables[table] as { unique?: readonly (readonly string[])[] };
  const distinct: Record<string, unknown> = {};
  for (const [name, { kind, unique, references, values }] of Object.entries(fieldsOf(table))) {
    // References and fields with few values may repeat, because another column of the unique index differs.
    if (kind === "time" || values !== undefined) continue;
    if (references !== undefined || !(name === "id" || unique || pairs.flat().includes(name))) continue;
    const make = kind === "signature" ? randomSignature : kind === "long" ? anyPosition : randomUUID;
    distinct[name] = make();
  }
  return distinct;
}

const anyPosition = () => randomInt(2 ** 45);

/** Stores an arbitrary row that differs from every other, with the given columns. */
export async function insertAny(
  store: Store,
  table: TableName,
  references: Record<string, string>,
  input: Record<string, unknown> = {},
): Promise<AnyRow> {
  const [row] = fc.sample(anyRow(table, references), 1);
  const values = { ...row, ...distinctValues(table), ...input } as AnyRow;
  // The database refuses open clients with these values.
  const isBeyond = table === "oauth_apps" && beyondLimits(values as Partial<OAuthApp>).length > 0;
  const whole = isBeyond ? { ...values, provenance: "registered" } : values;
  await store.insert(table, whole as unknown as NewRow<TableName>);
  return whole;
}
