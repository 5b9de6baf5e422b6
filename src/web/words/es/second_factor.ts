import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "Segundo paso",
  lead: (email) => html`Una prueba más de que eres tú, ${email}.`,
  submit: "Continuar",
  cancel: "Cancelar",
  others: "Otras maneras",
  lost: "He perdido todos mis segundos factores",
  ways: {
    passkey: "Usar una llave de acceso",
    totp: "Usar una aplicación de autenticación",
    recovery_code: "Usar un código de recuperación",
    mail_code: "Usar un código por correo",
  },
  totp: {
    label: "Código de tu aplicación de autenticación",
    help: "Los 6 dígitos que muestra ahora la aplicación.",
    wrong: "Este código no es correcto o ya se usó. Escribe el que muestra ahora la aplicación.",
    late: "Este código es de hace unos minutos: el reloj de tu dispositivo no va en hora. Activa la hora automática y escribe un código nuevo.",
  },
  recoveryCode: {
    label: "Código de recuperación",
    help: "Uno de los códigos de 16 caracteres que guardaste. Cada uno sirve una vez.",
    wrong: "No es ninguno de tus códigos de recuperación, o ya se usó.",
  },
  remember: {
    label: plural({
      one: (figure) => `No preguntar en este dispositivo durante ${figure} día`,
      other: (figure) => `No preguntar en este dispositivo durante ${figure} días`,
    }),
    help: "Solo en un dispositivo tuyo. La contraseña se sigue pidiendo.",
  },
  passkey: { none: "Ninguna de tus llaves de acceso funciona aquí. Elige otra manera." },
  ended: {
    title: "Demasiados códigos erróneos",
    lead: "Por tu seguridad, este inicio de sesión ha terminado. Empieza de nuevo con tu contraseña.",
    again: "Iniciar sesión de nuevo",
  },
  used: {
    title: "Has iniciado sesión",
    advice:
      "Si perdiste tu aplicación de autenticación, elimínala y añade otra. Los códigos nuevos sustituyen a los que tienes.",
    security: "Seguridad de tu cuenta",
    goOn: "Continuar",
  },
};
