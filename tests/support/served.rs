//! Files for a page in a browser, served on a local port until the test ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, thread};

/// Serves the files that paths stand for, and returns the port.
pub(crate) fn serve(file_at: impl Fn(&str) -> Option<PathBuf> + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let file_at = Arc::new(file_at);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let file_at = Arc::clone(&file_at);
            thread::spawn(move || answer(stream, &*file_at));
        }
    });
    port
}

fn answer(mut stream: TcpStream, file_at: &dyn Fn(&str) -> Option<PathBuf>) -> Option<()> {
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request).ok()?;
    let file = file_at(request.split(' ').nth(1)?)?;
    let kind = match file.extension()?.to_str()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "png" => "image/png",
        _ => "text/plain",
    };
    let (status, body) = match fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    stream.write_all(&body).ok()
}
