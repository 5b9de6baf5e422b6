import { pluralsOf } from "../plural.ts";

const categories = ["other"] as const;

export const plural = pluralsOf("ja", categories);
