// Goes to the page that a redirect names and takes the fragment along; without scripts the page goes there a second later.
const [, target] = document.querySelector('meta[http-equiv="refresh"]').content.split('url=')
location.replace(new URL(target, location.href).href + location.hash)
