import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "Se quitaron tus segundos factores.",
  sent: (email) => html`Hemos enviado un código a ${email}.`,
  label: "Código del correo",
  help: (time) => `Los dígitos del correo más reciente. Sirven durante ${time}.`,
  wrong: "Este no es el código del correo más reciente.",
  expired: "Este código es demasiado antiguo. Hemos enviado otro.",
  tooMany: "No se ha enviado ningún código porque se pidieron demasiados. Inténtalo más tarde.",
  mail: {
    subject: (server) => `Tu código para ${server}`,
    says: (server) =>
      `Alguien está entrando en tu cuenta de ${server}. Se quitaron sus segundos factores, así que se pide este código una vez.`,
    code: (code) => `El código es: ${code}`,
    caution:
      "No se lo des a nadie y escríbelo solo donde empezaste a entrar. Si no fuiste tú, cambia tu contraseña.",
  },
  signedIn: {
    title: "Has entrado",
    lead: "Tu cuenta no tiene ahora ningún segundo factor. Configura uno nuevo para que la contraseña por sí sola no baste.",
    setUp: "Configurar un segundo factor",
    later: "Continuar sin él",
  },
};
