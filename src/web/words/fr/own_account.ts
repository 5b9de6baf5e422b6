import { html } from "../../html/html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "Adresse e-mail",
    change: "Modifier l’adresse",
    lead: "Vous vous connectez avec cette adresse, et les e-mails concernant votre compte y sont envoyés.",
    now: "Adresse actuelle",
    waits: (email) => html`L’adresse ${email} attend votre confirmation.`,
    waitsHint:
      "Ouvrez le lien de l’e-mail que nous y avons envoyé, dans un navigateur où vous êtes connecté. Rien ne change d’ici là.",
    cancel: "Conserver l’adresse actuelle",
    next: "Nouvelle adresse",
    submit: "Envoyer le lien",
    noMail: "Ce serveur n’envoie pas d’e-mails et ne peut donc pas vérifier une autre adresse.",
    locked: (time) =>
      html`L’adresse a été rétablie par son ancienne boîte aux lettres. Elle pourra être modifiée à partir du ${time}.`,
    errors: {
      email: "Saisissez une adresse e-mail, par exemple nom@example.com.",
      same: "C’est déjà votre adresse.",
      throttled: "Cette demande a été faite trop souvent en peu de temps. Veuillez réessayer plus tard.",
    },
    confirmTitle: "Confirmez votre nouvelle adresse",
    confirmLead: (email) =>
      html`Vous vous connecterez alors avec ${email}, et les e-mails concernant votre compte y seront envoyés.`,
    confirm: "Utiliser cette adresse",
    deadTitle: "Ce lien n’est plus valable",
    deadLead:
      "Il a déjà été utilisé, a expiré ou appartient à un autre compte, ou l’adresse ne peut pas être utilisée.",
    undoTitle: "Rétablir votre adresse",
    undoLead: (email, time) =>
      html`Votre compte retrouve l’adresse ${email}. Toutes les sessions sont fermées, et l’adresse ne peut plus être modifiée pendant ${time}.`,
    undo: "Rétablir l’adresse",
    undoneTitle: "Votre adresse est rétablie",
    undoneLead: "Toutes les sessions de votre compte ont été fermées.",
    undoneKept: "Votre compte devait être supprimé. Il est conservé.",
    undoneLink: "Choisissez maintenant un nouveau mot de passe : nous vous envoyons un lien.",
    choosePassword: "Choisir un nouveau mot de passe",
    outOfDate: "Ce formulaire n’était plus à jour. Veuillez réessayer.",
    mailSubject: (server) => `Confirmez votre nouvelle adresse sur ${server}`,
    mailAsked: (server) =>
      `Une personne connectée sur ${server} veut utiliser cette adresse pour son compte. Si c’était vous, ouvrez ce lien dans un navigateur où vous êtes connecté :`,
    mailButton: "Confirmer l’adresse",
    mailFor: plural({
      one: (figure) => `Il est valable ${figure} minute.`,
      other: (figure) => `Il est valable ${figure} minutes.`,
    }),
    mailIgnore: "Si ce n’était pas vous, vous n’avez rien à faire.",
    mailUndo: plural({
      one: (figure) =>
        `Pendant ${figure} jour, le lien ci-dessous rétablit cette adresse et ferme toutes les sessions.`,
      other: (figure) =>
        `Pendant ${figure} jours, le lien ci-dessous rétablit cette adresse et ferme toutes les sessions.`,
    }),
  },
  data: {
    title: "Vos données",
    open: "Télécharger vos données",
    lead: "Un fichier lisible par des programmes, avec tout ce que ce serveur conserve à votre sujet.",
    without:
      "Les mots de passe, clés et codes n’y figurent pas. Conservez ce fichier là où personne d’autre ne le lira.",
    download: "Télécharger le fichier",
    schema: "Structure du fichier (JSON Schema)",
  },
  deletion: {
    title: "Supprimer votre compte",
    open: "Supprimer votre compte",
    lead: (time) =>
      `Vous êtes immédiatement déconnecté partout. Vous avez ${time} pour changer d’avis ; ensuite, toutes vos données sont supprimées.`,
    goes: "Ce qui est supprimé",
    goesAlways: "Votre nom, votre photo, votre adresse et votre mot de passe",
    memberships: plural({
      one: (figure) => `${figure} appartenance à une organisation prend fin`,
      other: (figure) => `${figure} appartenances à des organisations prennent fin`,
    }),
    stays: "Les journaux d’événements gardent un identifiant à la place de votre nom.",
    successorTitle: "Qui prend le relais",
    successorLead: plural({
      one: (figure) =>
        `Vous avez créé ${figure} application ou compte de service d’une organisation. Indiquez le membre qui prend le relais.`,
      other: (figure) =>
        `Vous avez créé ${figure} applications et comptes de service d’organisations. Indiquez le membre qui prend le relais.`,
    }),
    successorHint: "Le transfert est immédiat et reste acquis même si vous changez d’avis.",
    successor: "Adresse e-mail du successeur",
    submit: "Supprimer le compte",
    errors: {
      successor:
        "Cette personne n’est pas un membre actif de toutes les organisations auxquelles appartiennent les applications et comptes de service.",
      last_administrator: "Vous êtes le dernier administrateur de la plateforme. Nommez-en d’abord un autre.",
      last_owner:
        "Vous êtes le dernier propriétaire d’une organisation. Nommez d’abord un autre propriétaire, ou supprimez-la.",
    },
    askedTitle: "Votre compte va être supprimé",
    asked: (day) =>
      html`Vous êtes déconnecté partout. Connectez-vous avant le ${day} pour conserver le compte.`,
    undoTitle: "Conserver votre compte ?",
    undoLead: (day) =>
      html`Il doit être supprimé le ${day}. Si vous le conservez, vous vous connectez comme avant.`,
    undo: "Conserver le compte",
    undoneTitle: "Votre compte est conservé",
    undoneLead:
      "Connectez-vous comme avant. Les clés API et l’accès des applications doivent être accordés de nouveau.",
    signIn: "Se connecter",
    deadTitle: "Il n’y a rien à annuler ici",
    deadLead: "Connectez-vous de nouveau, ou bien le compte est déjà conservé ou supprimé.",
    mailUntil: (day) =>
      `Il sera supprimé avec tout ce qui vous appartient le ${day}. Jusque-là, le lien ci-dessous permet de le conserver.`,
  },
};
