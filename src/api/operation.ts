/** A JSON Schema (2020-12), as used in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Json;
  readonly responses: Json;
}

export function isStreamed({ responses }: Operation): boolean {
  return Object.values(responses).some((response) =>
    JSON.stringify(response).includes("application/x-ndjson"),
  );
}

export interface Reference {
  readonly $ref: string;
}

export type HttpMethod = "get" | "post" | "patch" | "delete";
export type PathItem = Readonly<Partial<Record<HttpMethod, Operation>>>;

export const schemaRef = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });
export const parameterRef = (name: string): Reference => ({ $ref: `#/components/parameters/${name}` });
export const headerRef = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });
