{#- The words that scripts show, from the one file that has them all. -#}
{%- from "partials/words.html" import words -%}
export const words = {{ words | tojson }};
