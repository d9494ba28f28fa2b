/** A whole number with commas: `10,000`, in every locale. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
