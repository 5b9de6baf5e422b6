import type { ProviderCheckWords } from "../en/provider_check.ts";

export const providerCheckWords: ProviderCheckWords = {
  title: "URI de redirección",
  lead: "Registra esta dirección en el proveedor, carácter por carácter.",
  unready: "Todavía nadie puede entrar a través de él: no tiene secreto de cliente ni clave privada.",
  check: "Comprobar este proveedor",
  checkLead: "Obtiene lo que publica el proveedor: emisor, claves, algoritmos y su reloj.",
  found: (name) => `Lo que responde ${name}`,
  well: "Se puede iniciar sesión a través de él, hasta donde se ve desde aquí.",
  wrong: "No se puede iniciar sesión a través de él hasta que esto se corrija.",
  tooOften: "Se comprobó hace un momento. Inténtalo de nuevo más tarde.",
  again: "Comprobar otra vez",
  back: "Volver al proveedor",
  ok: "Bien",
  fault: "Mal",
  state: "Estado",
  what: "Qué se ha mirado",
  detail: "Resultado",
  checks: {
    redirect_uri: "URI de redirección",
    settings: "Ajustes",
    metadata: "Lo que publica",
    keys: "Claves y algoritmos",
    pkce: "Uso de PKCE",
    protection: "Protección que le falta",
    clock: "Reloj",
  },
};
