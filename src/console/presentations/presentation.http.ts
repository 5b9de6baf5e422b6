/**
 * How the console presents a resource type, beyond `admin/resources/resources.ts`; the values are in
 * `presentations.http.ts`.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { OwnVerb } from "../../admin/manage/resource.ts";
import type { Reference } from "../../admin/reports/labels.ts";
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

/**
 * An organization's developer may take the action on an app, unless a platform administrator vouched for the
 * app.
 */
interface Vouched {
  readonly vouched?: true;
}

/**
 * Returns whether the management layer would refuse the action (`admin/guards/app_changes.ts`), so it is not
 * offered.
 */
export function isVouchedFor({ vouched }: Vouched, view: PublicView, is_platform_admin: boolean): boolean {
  return vouched === true && view.first_party === true && !is_platform_admin;
}

/**
 * A list of another resource type on a record's page. `vouched` restricts the creation of records from that
 * list.
 */
export interface Related extends Vouched {
  readonly resourceType: ResourceType;
  readonly by: string;
  readonly near_top?: true;
  /** The member of the record whose value the filter must equal; by default the ID. */
  readonly of?: string;
  /**
   * The field of the form for a new record that is prefilled, and the member with the value; by default `by`
   * and the ID.
   */
  readonly prefill?: readonly [field: string, of: string];
}

/** A change that ends dependent records. It has its own page, which shows how many records end. */
export interface DestructiveChange extends Vouched {
  readonly field: string;
  /**
   * The change is offered only while the field has this value, and sets the opposite value. Without `while`,
   * a form shows the field.
   */
  readonly while?: boolean;
  readonly verb: "switch_off" | "change";
  readonly label?: Action["label"];
  /** Members that users must also send when they change their own record. */
  readonly with?: readonly string[];
  readonly ends: readonly (keyof ShownImpact)[];
}

interface EndingVerb {
  readonly verb: Extract<OwnVerb, "sign_out" | "revoke_everything">;
  readonly ends: DestructiveChange["ends"];
}

/**
 * A link on a record's page, for viewers with the permission to write the resource type `writes` for this
 * record; without `writes`, for every viewer.
 */
interface Action extends Vouched {
  readonly label: Exclude<keyof ActionWords, "changeField">;
  readonly writes?: ResourceType;
  readonly href: (id: string) => string;
  readonly when?: (view: PublicView) => boolean;
  readonly others_only?: true;
}

export interface Presentation {
  /** Records of this type appear only on a special page: they have no list, page or form. */
  readonly own_page?: true;
  /** Users who may not create a record directly send an invitation instead, if the organization is known. */
  readonly invites?: true;
  /** Users and apps create records of this type, so the console has no link to create one. */
  readonly by_others?: true;
  /** Settings of which at least one must be on, because records of this type exist only then. */
  readonly needs_feature?: readonly Feature[];
  readonly columns: readonly string[];
  /** The columns on narrow screens; by default the first and the last. */
  readonly brief?: readonly [string, string];
  readonly presets?: { readonly [Name in PresetName]?: Readonly<Record<string, string>> };
  /**
   * Columns that precede the others, shown only if a record of the list has a value other than the given
   * one.
   */
  readonly rare_columns?: Readonly<Record<string, string>>;
  /** The fields of a record's label. An ID is shown by its last characters, a reference by its name. */
  readonly named_by: readonly string[];
  /**
   * Returns the label of a record that its fields do not distinguish from others; undefined for all others.
   */
  readonly called?: (view: PublicView, words: Words) => string | undefined;
  /** The fields of the label in a reference to the record, where its parent is not shown. */
  readonly referred_by?: readonly string[];
  /**
   * The field whose value (for a reference, the name) must be typed before the record ends; absent if users
   * do not know it.
   */
  readonly typed?: string;
  readonly state?: (view: PublicView, now: Date) => RecordState;
  /** The field that replaces the ID in the URL of the record's page. */
  readonly addressed_by?: string;
  readonly related: readonly Related[];
  /** Groups of fields. Fields without a group precede the folded groups. */
  readonly groups?: readonly FieldGroup[];
  /** The order of a form's fields, if it differs from that of the groups and the definition. */
  readonly order?: readonly string[];
  readonly help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts for platform administrators, who may leave the organization of some records empty. */
  readonly platform_help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The values that only platform administrators may choose for a new record. */
  readonly platform_values?: Readonly<Record<string, readonly string[]>>;
  readonly help_of_new?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts that depend on the record or, for a new record, on the chosen value. */
  readonly help_where?: (
    record: PublicView,
    chosen_value?: string,
  ) => Readonly<Record<string, keyof FieldHelp>>;
  /** Fields that the record's page omits when empty, because few records have them. */
  readonly seldom?: readonly string[];
  /** Settable fields that no form shows, in addition to `id`. */
  readonly unasked?: readonly string[];
  /**
   * The field that forms show in place of an `unasked` one. It is required if that one is, and shows its
   * errors.
   */
  readonly asked_by?: Readonly<Record<string, string>>;
  /**
   * The field that is chosen before the form for a new record and cannot be changed afterwards, and the
   * fields that do not apply to the chosen value.
   */
  readonly chosen?: {
    readonly field: string;
    readonly unfit: (value: string) => readonly string[];
    readonly initial: (value: string) => PublicView;
    readonly first?: (value: string) => readonly string[];
    readonly help?: (value: string, words: Words) => string | undefined;
  };
  /** Fields that the form for a new record leaves empty, because their values follow from the rest. */
  readonly left_open?: readonly string[];
  /** The strings with which fields of a new record begin, for administrators of its organization. */
  readonly begins?: Readonly<Record<string, (organization_id: string) => string>>;
  /** Fields that the form for a new record requires, although the API does not. */
  readonly needed?: readonly string[];
  /** Fields that a link to the form may prefill, in addition to references. */
  readonly prefilled?: readonly string[];
  /** The options of a list whose definition has none: those that these settings enable. */
  readonly offered?: Readonly<Record<string, (switches: Switches) => readonly string[]>>;
  /** The usual values of a field that accepts any value. The form offers them and the stored value. */
  readonly usual?: Readonly<Record<string, readonly string[]>>;
  /** The field that a grid of permissions sets, and the prefix of each permission in its list. */
  readonly granted?: { readonly field: string; readonly prefix: string; readonly folded?: true };
  /** Wire spellings of values that records spell differently, by field. */
  readonly spelled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly destructive?: readonly DestructiveChange[];
  readonly ending_verbs?: readonly EndingVerb[];
  /** Fields that a deletion requires if the function returns true for the record. */
  readonly removal_asks?: Readonly<
    Record<string, (admin: Pick<AdminContext, "store">, id: string) => Promise<boolean>>
  >;
  /** The proof that a change of the viewer's own record requires, and the field that contains the proof. */
  readonly proofs?: Readonly<Record<string, string>>;
  readonly notices?: (view: PublicView, words: Words) => readonly string[];
  readonly actions?: readonly Action[];
  /** The targets of polymorphic references, in which another field names the table. */
  readonly leads?: Readonly<Record<string, (view: PublicView) => Reference | undefined>>;
  /**
   * Fields that the form cannot change although the management API can, because users create another record
   * instead.
   */
  readonly kept?: readonly string[];
}
