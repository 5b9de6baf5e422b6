import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Command } from "commander";
import { type GivingVerb, givenFields, ownVerbsOf } from "../../src/admin/manage/resource.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import type { Terminal } from "../../src/cli/core/terminal.ts";
import { addInputOptions, inputOf } from "../../src/cli/records/record_options.ts";
import { optionName, valuesIn } from "../../src/cli/records/typed_values.ts";
import type { Field } from "../../src/records/definition/field.ts";
import { checkMembers } from "../../src/records/formats/check.ts";

/** Returns a text that a user could type for a value of the field's kind. */
function typedFor({ kind, shape, min = 1 }: Field): string {
  const texts = {
    ...{ uuid: "018f0000-0000-7000-8000-000000000000", string: "text", text: "text", signature: "" },
    ...{ int: String(min), long: String(min), bool: "true", time: "2030-01-02T03:04:05Z" },
    json: shape === "strings" ? "value" : shape === "objects" ? "[{}]" : "{}",
  };
  return texts[kind];
}

/** Reasons about the kind of a value, in contrast to its bounds and its format. */
const ofKind: ReadonlySet<string> = new Set([
  ...["not_integer", "not_boolean", "not_time", "not_list_of_strings", "not_object"],
  ...["not_list_of_objects", "not_string", "not_uuid"],
]);

describe("values of options", () => {
  test("the option of every field yields a value of the field's type", async () => {
    for (const resource of resources)
      for (const verb of ["create", "update", "remove", ...ownVerbsOf(resource)] satisfies GivingVerb[])
        for (const [name, field] of givenFields(resource, verb)) {
          // References are looked up, and `app create` has its own option for secrets.
          if (field.references !== undefined || name === "secrets") continue;
          const command = new Command().exitOverride();
          addInputOptions(command, resource, verb);
          const option = optionName(resource.table, name);
          command.parse([option, typedFor(field)], { from: "user" });
          const input = await inputOf(
            { idOf: async (_, id) => id },
            resource,
            command.opts(),
            {} as Terminal,
            verb,
          );
          const { errors } = checkMembers({ [name]: field }, input);
          const wrong = errors.map(({ code }) => code).filter((code) => ofKind.has(code));
          assert.deepEqual(wrong, [], `${resource.path} ${verb} ${option}`);
        }
  });

  test("event types are separated by spaces or commas, while a scope may contain commas", () => {
    assert.deepEqual(valuesIn({ format: "event_type" }, "user.created,user.updated ping"), [
      ...["user.created", "user.updated", "ping"],
    ]);
    assert.deepEqual(valuesIn({ format: "scope" }, "openid a,b"), ["openid", "a,b"]);
  });
});
