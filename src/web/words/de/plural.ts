import { pluralsOf } from "../parts/plural.ts";

export const categories = ["one", "other"] as const;

export const plural = pluralsOf("de", categories);
