/**
 * Types that describe how the console presents a resource type. The values are in `presentations.http.ts`.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { OwnVerb } from "../../admin/manage/resource.ts";
import type { Reference } from "../../admin/reports/labels.ts";
import type { IdentitySettings } from "../../people/core/context/context.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Feature } from "../../records/names/names.ts";
import type { Switches } from "../../records/names/profiles.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import type { ActionWords } from "../../web/words/en/actions.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import type { PresetName } from "../../web/words/en/lists.ts";
import type { Words } from "../../web/words/words.ts";
import type { FieldGroup } from "../fields/field_groups.view.ts";

/** `vouched`: for an app that is `first_party`, only platform administrators may take the action. */
interface Vouched {
  readonly vouched?: true;
}

/**
 * Returns whether only platform administrators may take the action on this app and the viewer is not one
 * (`admin/guards/app_changes.ts`).
 */
export function isVouchedFor({ vouched }: Vouched, view: PublicView, is_platform_admin: boolean): boolean {
  return vouched === true && view.first_party === true && !is_platform_admin;
}

/** `by` is the filter that selects the records of the list. */
export interface Related extends Vouched {
  readonly resourceType: ResourceType;
  readonly by: string;
  readonly near_top?: true;
  /** The field of this record whose value the filter `by` gets; by default the ID. */
  readonly of?: string;
  /**
   * The field that the link to create a record fills in, and the field of this record with its value. By
   * default `by` and `of`.
   */
  readonly prefill?: readonly [field: string, of: string];
}

/** Users confirm the change on a page of its own. */
export interface DestructiveChange extends Vouched {
  readonly field: string;
  /**
   * The change is offered while the field has this value, and inverts it. Without `while`, users enter the
   * new value on the confirmation page.
   */
  readonly while?: boolean;
  readonly verb: "switch_off" | "change";
  readonly label?: Action["label"];
  /** Fields that users must also enter to change their own record, such as the current password. */
  readonly with?: readonly string[];
  readonly ends: readonly (keyof ShownImpact)[];
}

interface EndingVerb {
  readonly verb: Extract<OwnVerb, "sign_out" | "revoke_everything">;
  readonly ends: DestructiveChange["ends"];
}

/**
 * A link on the record's page. With `writes`, only viewers who may write that resource type for the record
 * see it.
 */
interface Action extends Vouched {
  readonly label: Exclude<keyof ActionWords, "changeField">;
  readonly writes?: ResourceType;
  readonly href: (id: string) => string;
  readonly when?: (view: PublicView) => boolean;
  readonly others_only?: true;
}

export interface Presentation {
  /** Records of this type have a special page instead of a list and forms. */
  readonly own_page?: true;
  /** Users who may not create a record directly can send an invitation instead. */
  readonly invites?: true;
  /** The console offers no link to create a record, because the server, users or apps create them. */
  readonly by_others?: true;
  /** Server settings. If all are off, the list of the resource type names them and offers no creation. */
  readonly needs_feature?: readonly Feature[];
  readonly columns: readonly string[];
  /** Columns shown on narrow screens; by default the first and the last. */
  readonly brief?: readonly [string, string];
  readonly presets?: { readonly [Name in PresetName]?: Readonly<Record<string, string>> };
  /**
   * Additional leading columns, each with its usual value. A column is shown only if a record in the list has
   * another value.
   */
  readonly rare_columns?: Readonly<Record<string, string>>;
  /** Fields that make up a record's label. An ID is shown by its last characters, a reference by its name. */
  readonly named_by: readonly string[];
  /** Returns the label of a special record that its fields cannot describe; undefined for other records. */
  readonly called?: (view: PublicView, words: Words) => string | undefined;
  /** Fields that make up the label in references to the record; by default `named_by`. */
  readonly referred_by?: readonly string[];
  /**
   * The field whose value users type to confirm an action that ends the record; for a reference, they type
   * its name. Absent if users do not know any such value.
   */
  readonly typed?: string;
  readonly state?: (view: PublicView, now: Date) => RecordState;
  /** The field in the URL of the record's page; by default the ID. */
  readonly addressed_by?: string;
  readonly related: readonly Related[];
  readonly groups?: readonly FieldGroup[];
  readonly order?: readonly string[];
  readonly help?: Readonly<Record<string, keyof FieldHelp>>;
  /** By field, the help text for platform administrators, in place of that in `help`. */
  readonly platform_help?: Readonly<Record<string, keyof FieldHelp>>;
  /**
   * `is` returns whether only platform administrators may give the field the value; forms of others do not offer
   * it. `help` says so at a field.
   */
  readonly reserved?: {
    readonly is: (name: string, value: unknown, record: PublicView) => boolean;
    readonly help?: Readonly<Record<string, keyof FieldHelp>>;
  };
  readonly help_of_new?: Readonly<Record<string, keyof FieldHelp>>;
  /** Returns, by field, help texts that depend on the record, on `chosen_value` or on the server's settings. */
  readonly help_where?: (
    record: PublicView,
    chosen_value: string | undefined,
    settings: IdentitySettings,
  ) => Readonly<Record<string, keyof FieldHelp>>;
  /** Fields that the record's page leaves out if empty, because few records have them. */
  readonly seldom?: readonly string[];
  /** Fields that forms leave out although the API accepts them. */
  readonly unasked?: readonly string[];
  /**
   * For fields in `unasked`, the form field that replaces each, such as `email` for `user_id`. It is required
   * if the replaced field is, and shows its errors.
   */
  readonly asked_by?: Readonly<Record<string, string>>;
  /**
   * A field whose value is chosen before the form for a new record and cannot be changed there. `unfit`
   * returns the fields that do not apply to the value.
   */
  readonly chosen?: {
    readonly field: string;
    readonly unfit: (value: string) => readonly string[];
    /** Returns the fields that only this value requires. */
    readonly needed?: (value: string) => readonly string[];
    readonly initial: (value: string) => PublicView;
    readonly first?: (value: string) => readonly string[];
    readonly help?: (value: string, words: Words, switches: Switches) => string | undefined;
  };
  /** Fields without a suggested default in the form for a new record. */
  readonly left_open?: readonly string[];
  /** By field, its initial text in the form for a new record. Platform administrators get an empty field. */
  readonly begins?: Readonly<Record<string, (organization_id: string) => string>>;
  /** Fields that the form for a new record requires, although the API does not. */
  readonly needed?: readonly string[];
  /** Fields, in addition to references, that the URL of the form can fill in. */
  readonly prefilled?: readonly string[];
  /** By list field, a function that returns its options from the server's settings. */
  readonly offered?: Readonly<Record<string, (switches: Switches) => readonly string[]>>;
  /** By field, values that the form offers as radio buttons. */
  readonly usual?: Readonly<Record<string, readonly string[]>>;
  /** A field shown as a grid of permissions. Its values are `prefix` plus a permission. */
  readonly granted?: { readonly field: string; readonly prefix: string; readonly folded?: true };
  /** By field, how values are spelled in the OAuth protocol, if they are stored differently. */
  readonly spelled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly destructive?: readonly DestructiveChange[];
  readonly ending_verbs?: readonly EndingVerb[];
  /** By field, whether deleting this record requires the field, such as a successor. */
  readonly removal_asks?: Readonly<
    Record<string, (admin: Pick<AdminContext, "store">, id: string) => Promise<boolean>>
  >;
  /**
   * By field, the proof that users must enter to change it in their own record, such as the current password.
   */
  readonly proofs?: Readonly<Record<string, string>>;
  readonly notices?: (view: PublicView, words: Words, settings: IdentitySettings) => readonly string[];
  readonly actions?: readonly Action[];
  /** For fields that refer to different tables, a function that returns the referenced record. */
  readonly leads?: Readonly<Record<string, (view: PublicView) => Reference | undefined>>;
  /** Fields that forms cannot change although the API can. Users create another record instead. */
  readonly kept?: readonly string[];
}
