/** Not `toLocaleString`, whose first use adds 30 ms to every start. */
export const inThousands = (whole: number): string => String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',')
