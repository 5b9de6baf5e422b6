import { pluralsOf } from "../parts/plural.ts";

export const categories = ["other"] as const;

export const plural = pluralsOf("ja", categories);
