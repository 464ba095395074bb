# One operation, tried with plain system calls: prints `ok`, or the number of the error. Perl because its own `syscall`
# needs no module and no compiler; it is mounted for these tests and is in no image.

my $buffer = "\0" x 4096;

sub pidfd { my $fd = syscall(434, $_[0] + 0, 0); return $fd; }

sub value {
    my ($word) = @_;
    return $buffer if $word eq 'buffer';
    return $$ if $word eq 'self';
    return pack('PQ', $buffer, 8) if $word eq 'vector';
    return pidfd($1) if $word =~ /^pidfd:(\d+)$/;
    return $word =~ /^-?\d+$/ ? $word + 0 : $word;
}

my %verbs = (
    open     => sub { open(my $f, '<', $_[0]) },
    list     => sub { opendir(my $d, $_[0]) },
    link     => sub { defined readlink($_[0]) },
    write    => sub { open(my $f, '>>', $_[0]) },
    kill     => sub { kill($_[0], $_[1]) == 1 },
    'kill-own' => sub { my $pid = fork // return 0; if (!$pid) { sleep 9; exit } kill($_[0], $pid) == 1 },
    call     => sub { my @given = map { value($_) } @_; syscall(shift @given, @given) != -1 },
    execute  => sub {
        open(my $in, '<', '/probe/perl') or return 0;
        open(my $out, '>', $_[0]) or return 0;
        while (sysread($in, my $part, 65536)) { syswrite($out, $part) // return 0 }
        close $out;
        chmod 0755, $_[0];
        exec { $_[0] } $_[0], '-e', '1';
    },
    'fill-bytes' => sub { open(my $f, '>', $_[0]) or return 0; while (syswrite($f, $buffer)) { } 0 },
    'fill-names' => sub { for my $n (1 .. 100000) { open(my $f, '>', "$_[0]-$n") or return 0 } 1 },
);

sub bomb {    # processes of their own sessions that outlive this one, until no more can be made
    for (my $made = 0; ; $made++) {
        my $pid = fork;
        return $made unless defined $pid;
        if (!$pid) { syscall(112); $SIG{TERM} = 'IGNORE'; close STDOUT; sleep 60; exit }
    }
}

my ($verb, @rest) = @ARGV;
if ($verb eq 'bomb') { print bomb(), "\n"; exit }
$! = 0;
my $done = $verbs{$verb}->(@rest);
print $done ? "ok\n" : ($! + 0) . "\n";
