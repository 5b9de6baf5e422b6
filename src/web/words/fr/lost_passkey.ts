import { html } from "../../html/html.ts";
import type { LostPasskeyWords } from "../en/lost_passkey.ts";
import { plural } from "./plural.ts";

export const lostPasskeyWords: LostPasskeyWords = {
  title: "Je n’ai plus ma clé d’accès",
  administrator:
    "Vous administrez ce serveur. Demandez à un autre administrateur de supprimer votre clé d’accès ; il n’y a pas d’autre moyen.",
  tooLittleLeft: (lost) =>
    `Il faut pour cela un mot de passe ou un compte associé, et un autre second facteur. Vous n’avez pas les deux. Déconnectez-vous, reconnectez-vous avec votre mot de passe ou votre compte associé, et choisissez « ${lost} » lorsqu’un second facteur vous est demandé. Si vous n’avez ni l’un ni l’autre, adressez-vous à un administrateur du serveur.`,
  lead: plural({
    one: (figure) => `La clé d’accès est supprimée après un délai de ${figure} heure.`,
    other: (figure) => `La clé d’accès est supprimée après un délai de ${figure} heures.`,
  }),
  going: "Sera supprimé :",
  steps: {
    proofs:
      "Vous le confirmez avec deux facteurs que vous avez encore et avec un code que nous vous envoyons par e-mail.",
    mails:
      "Nous vous prévenons par e-mail au début, à la moitié et avant la fin du délai. Chaque e-mail permet d’annuler l’opération.",
    use: "Utiliser la clé d’accès annule aussi l’opération.",
    after:
      "Après le délai, vos autres facteurs confirment les modifications de votre compte, et vous pouvez ajouter une nouvelle clé d’accès.",
  },
  waiting: (when) =>
    html`Le délai a commencé. La clé d’accès est supprimée après le ${when}. Si vous la retrouvez entre-temps, utilisez-la simplement.`,
  banner: (when) =>
    html`Quelqu’un affirme ne plus avoir la clé d’accès de votre compte. Elle est supprimée après le ${when}.`,
  link: {
    title: "Conserver votre clé d’accès",
    lead: "Quelqu’un affirme ne plus avoir la clé d’accès de votre compte, et elle doit être supprimée. Si ce n’est pas vous, annulez l’opération.",
    done: "Votre clé d’accès est conservée. Quelqu’un connaît votre mot de passe, dispose d’un autre de vos facteurs et peut lire vos e-mails : changez les deux mots de passe et supprimez les facteurs qui ne sont pas les vôtres.",
  },
  codeSays: (server) =>
    `Une personne connectée à votre compte sur ${server} affirme ne plus avoir sa clé d’accès. Ce code permet de la faire supprimer :`,
  mailUntil: (when) =>
    `La clé d’accès est supprimée après le ${when}, sauf si l’opération est annulée ou si la clé est utilisée.`,
};
