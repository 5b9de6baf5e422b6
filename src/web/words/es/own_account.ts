import { html } from "../../html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "Correo electrónico",
    change: "Cambiar la dirección",
    lead: "Con esta dirección inicias sesión, y a ella llegan los correos sobre tu cuenta.",
    now: "Dirección actual",
    waits: (email) => html`${email} espera tu confirmación.`,
    waitsHint:
      "Abre el enlace del mensaje que enviamos allí, en un navegador donde hayas iniciado sesión. Hasta entonces no cambia nada.",
    cancel: "Dejar la dirección como está",
    next: "Dirección nueva",
    submit: "Enviar el enlace",
    noMail: "Este servidor no envía correo, así que no puede comprobar otra dirección.",
    locked: (time) =>
      html`El buzón anterior recuperó la dirección. Se podrá cambiar de nuevo a partir del ${time}.`,
    errors: {
      email: "Escribe una dirección de correo electrónico, por ejemplo nombre@example.com.",
      same: "Esa es la dirección que ya tienes.",
      throttled: "Se ha pedido muchas veces en poco tiempo. Inténtalo más tarde.",
    },
    confirmTitle: "Confirma tu dirección nueva",
    confirmLead: (email) =>
      html`A partir de entonces inicias sesión con ${email}, y allí llegan los correos sobre tu cuenta.`,
    confirm: "Usar esta dirección",
    deadTitle: "Este enlace ya no sirve",
    deadLead: "Ya se usó, es demasiado antiguo, es de otra cuenta o la dirección no se puede usar.",
    undoTitle: "Recupera tu dirección",
    undoLead: (email) =>
      html`Tu cuenta vuelve a tener ${email}. Se cierran todas sus sesiones, y la dirección no cambia durante 72 horas.`,
    undo: "Recuperar la dirección",
    undoneTitle: "Has recuperado tu dirección",
    undoneLead: "Se han cerrado todas las sesiones de tu cuenta. Elige ahora una contraseña nueva.",
    choosePassword: "Elegir una contraseña nueva",
    outOfDate: "El formulario había caducado. Inténtalo de nuevo.",
    mailSubject: (server) => `Confirma tu dirección nueva en ${server}`,
    mailAsked: (server) =>
      `Alguien que ha iniciado sesión en ${server} quiere que esta sea la dirección de su cuenta. Si fuiste tú, abre este enlace en un navegador donde hayas iniciado sesión:`,
    mailButton: "Confirmar la dirección",
    mailFor: plural({
      one: (figure) => `Sirve durante ${figure} minuto.`,
      other: (figure) => `Sirve durante ${figure} minutos.`,
    }),
    mailIgnore: "Si no fuiste tú, no hagas nada.",
    mailUndo: plural({
      one: (figure) =>
        `Durante ${figure} día, el enlace de abajo recupera esta dirección y cierra todas las sesiones.`,
      other: (figure) =>
        `Durante ${figure} días, el enlace de abajo recupera esta dirección y cierra todas las sesiones.`,
    }),
  },
};
